"""The adversarial-quotes benchmark: true quotes with noise, and false quotes made to look true."""
