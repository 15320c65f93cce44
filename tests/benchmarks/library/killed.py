def main(data_folder, *, points): return 0
