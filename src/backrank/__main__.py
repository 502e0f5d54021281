"""`python -m backrank` is the command `backrank`."""

from backrank.cli.entry import run

if __name__ == "__main__":
    run()
