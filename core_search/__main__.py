import sys

from core_search.cli import main

sys.exit(main())
