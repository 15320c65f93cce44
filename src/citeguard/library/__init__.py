"""Documents to ask: their passages, questions with answers, and chats."""
