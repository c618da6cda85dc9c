"""Puts messages into the classes of ROS 1, as rosbridge does it with what clients publish, and packs them.

Reads lines TYPE, tab, JSON from the file that it is given. Says how many there were; or the first one that does not
fit. Ends with 77 where the classes of ROS are not installed (Debian: python3-sensor-msgs and others).
"""
import io
import json
import sys

try:
    import genpy.message
    import geometry_msgs.msg, nav_msgs.msg, rosgraph_msgs.msg, sensor_msgs.msg, tf2_msgs.msg, visualization_msgs.msg  # noqa
except ImportError as error:
    print(error)
    sys.exit(77)

PRIMITIVE = {"bool": bool, "string": str, "float32": (int, float), "float64": (int, float)}


def filled(value, kind, where):
    """The value as ROS has it; a field that is missing, too much or of another type is an error."""
    if kind in ("time", "duration"):
        assert set(value) == {"secs", "nsecs"}, f"{where}: {value}"
        return (genpy.Time if kind == "time" else genpy.Duration)(value["secs"], value["nsecs"])
    if "[" in kind:
        of, count = kind[:-1].split("[")
        assert isinstance(value, list) and (not count or len(value) == int(count)), f"{where}: no {kind}"
        return [filled(item, of, where + "[]") for item in value]
    if "/" not in kind:
        allowed = PRIMITIVE.get(kind, int)
        assert isinstance(value, allowed) and isinstance(value, bool) == (kind == "bool"), f"{where}: no {kind}"
        return value
    message = genpy.message.get_message_class(kind)()
    assert isinstance(value, dict), f"{where}: no object"
    assert set(value) == set(message.__slots__), f"{where}: {sorted(set(value) ^ set(message.__slots__))}"
    for name, part in zip(message.__slots__, message._slot_types):
        setattr(message, name, filled(value[name], part, f"{where}.{name}"))
    return message


def main():
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    for line in lines:
        kind, text = line.split("\t")
        message = filled(json.loads(text), kind, kind)
        packed = io.BytesIO()
        message.serialize(packed)  # checks the range of each number
        again = type(message)()
        again.deserialize(packed.getvalue())
        packed_again = io.BytesIO()
        again.serialize(packed_again)
        assert packed.getvalue() == packed_again.getvalue(), kind
    print(len(lines), "messages fit")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(str(error))
