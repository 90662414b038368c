"""Write the golden results anew, and print those that changed."""

import os

os.environ.setdefault("LUDION_TIER", "compiled")

from tests import golden

before = golden.read()
after = {command: golden.result_of(command) for command in before}
golden.write(after)
for command, result in after.items():
    if result != before[command]:
        print(f"{command}\n- {before[command]}\n+ {result}")
