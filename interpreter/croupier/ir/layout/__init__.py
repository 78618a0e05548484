"""Layout: a position as one flat array of small integers.

What comes in: a module and a set-up (`Sizes`: how many players, components and cells there are, what the parameters are). What goes out: for
every variable of the state, every zone, every watcher and every live slot of a frame its offset and its shape. Copying a position is copying the
array; its hash is a hash of the array.

    header | state | zones | what watchers saw | frames, one on another | lists that nothing bounds

`shapes.py` says how a type becomes integers, `bounds.py` how long lists may get, `stack.py` how much room the frames may need, `plan.py` puts
everything in its place, `pack.py` writes values into the array and reads them back. `sizes.py` is what a set-up says, `text.py` shows a layout.
"""

from croupier.ir.layout.plan import Layout, lay_out

__all__ = ["Layout", "lay_out"]
