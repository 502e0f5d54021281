"""`python -m backrank` is the command `backrank`."""

from backrank.cli.main import main

if __name__ == "__main__":
    main()
