"""Arguments that signatures.py generates: shapes, layouts, overlaps, mistakes."""
import itertools

import numpy as np


LAYOUTS = {"whole", "offset", "slice", "turned", "fortran", "empty", "overlapping", "defaults"}


class Tensor:
    """An array for a field, as a part of larger memory."""

    def __init__(self, random, parameter, shape):
        self.kind = random.choice(["whole", "whole", "offset", "slice", "turned", "fortran"])
        self.parameter = parameter
        axes = len(shape)
        order = list(range(axes))
        if self.kind == "turned":
            order = list(random.permutation(axes))
        elif self.kind == "fortran":
            order = order[::-1]
        cuts, extents = [], []
        for extent in shape:
            step = int(random.choice([1, 2, 3, -1, -2])) if self.kind in ("slice", "turned") else 1
            before, after = (int(random.integers(0, 3)) for _ in "ba")
            if self.kind in ("whole", "offset", "fortran"):
                before = after = 0
            used = (extent - 1) * abs(step) + 1 if extent else 0
            extents.append(before + used + after)
            first = before if step > 0 else before + used - 1
            last = first + step * extent
            cuts.append(slice(first, last if last >= 0 else None, step) if extent else
                        slice(before, before))
        front = int(random.integers(1, 9)) if self.kind == "offset" else 0
        self.memory = numbers(random, parameter.dtype, front + int(np.prod(extents)) + 1)
        self.order, self.cuts, self.front, self.extents = order, cuts, front, extents

    def part(self, memory):
        """The array within memory like that of this tensor."""
        end = self.front + int(np.prod(self.extents))
        whole = memory[self.front:end].reshape([self.extents[k] for k in self.order])
        return whole.transpose(np.argsort(self.order))[(*self.cuts, ...)]

    def given(self):
        return self.part(self.memory)

    def flatten(self):
        """Makes it a whole array of its own."""
        value = self.given().copy("C")
        self.extents, self.order = list(self.given().shape), list(range(value.ndim))
        self.memory, self.kind, self.front = value.reshape(-1), "whole", 0
        self.cuts = [slice(None)] * len(self.extents)


def numbers(random, dtype, count):
    if dtype == bool:
        return random.random(count) < 0.5
    if dtype.kind == "f":  # whole numbers, whose products are exact
        return random.integers(-20, 20, count).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True)


class Number:
    """A scalar; in a third of the cases its default, where it has one."""

    def __init__(self, random, parameter):
        self.parameter = parameter
        self.value = numbers(random, parameter.dtype, 1)[0]
        # tvm-ffi passes ints of 64 bits with a sign.
        if parameter.type == "u64":
            self.value >>= np.uint64(1)

    def given(self):
        if self.parameter.type == "bool":
            return bool(self.value)
        return self.value.item()


class Numbers:
    """A vec or mat: lists, or a tensor of any layout."""

    def __init__(self, random, parameter):
        self.tensor = Tensor(random, parameter, parameter.element)
        self.is_list = random.random() < 0.5

    def given(self):
        return self.tensor.given().tolist() if self.is_list else self.tensor.given()


class Word:
    def __init__(self, random):
        self.value = "".join(random.choice(list("abcäß∀ "), int(random.integers(0, 12))))

    def given(self):
        return self.value


class Call:
    def __init__(self, parameters, arguments, omitted):
        self.parameters, self.arguments, self.omitted = parameters, arguments, omitted
        self.before = [each.memory.copy() for each in self.tensors()]
        self.mistakes = {}  # {index: wrong value}
        self.more = []

    def tensors(self):
        return [each for each in self.arguments if isinstance(each, Tensor)]

    def layouts(self):
        for k, each in enumerate(self.tensors()):
            yield each.kind
            if each.given().size == 0:
                yield "empty"
            if any(each.memory is other.memory for other in self.tensors()[:k]):
                yield "overlapping"
        if self.omitted:
            yield "defaults"

    def given(self):
        values = [self.mistakes.get(k, each) for k, each in enumerate(self.arguments)]
        values = [each.given() if hasattr(each, "given") else each for each in values]
        return values[:len(values) - self.omitted] + self.more

    def values(self):
        """What a reference takes: copies, and defaults."""
        made = []
        for k, (parameter, each) in enumerate(zip(self.parameters, self.arguments)):
            if k >= len(self.arguments) - self.omitted:
                value = {"True": True}.get(parameter.default) or int(parameter.default)
                made.append(parameter.dtype.type(value))
            elif isinstance(each, Tensor):
                made.append(each.given().copy())
            elif isinstance(each, Numbers):
                made.append(np.array(each.given(), parameter.dtype))
            else:
                made.append(each.value)
        return made

    def check_memory(self, values):
        """After a call that changed arguments as `values` were changed."""
        tensors = [(each, value) for each, value in zip(self.arguments, values)
                   if isinstance(each, Tensor)]
        for (tensor, value), before in zip(tensors, self.before):
            if tensor.parameter.written:
                tensor.part(before)[...] = value
            np.testing.assert_array_equal(tensor.memory, before)

    def check_unchanged(self):
        for tensor, before in zip(self.tensors(), self.before):
            np.testing.assert_array_equal(tensor.memory, before)


def make_call(random, parameters):
    # All fields of an operator have one shape.
    shape = [int(random.choice([0, 1, 2, 3, 4, 5], p=[0.06, 0.14, 0.2, 0.2, 0.2, 0.2]))
             for _ in range(4)]
    arguments = []
    for parameter in parameters:
        if parameter.kind == "field":
            each = Tensor(random, parameter, (*shape[:parameter.rank], *parameter.element))
            # Two that are only read may share memory.
            peers = [other for other in arguments if isinstance(other, Tensor)
                     and not other.parameter.written and other.parameter.dtype == parameter.dtype
                     and len(other.memory) >= len(each.memory)]
            if peers and not parameter.written and random.random() < 0.5:
                each.memory = peers[0].memory
            arguments.append(each)
        elif parameter.kind == "scalar":
            arguments.append(Number(random, parameter))
        elif parameter.kind == "array":
            arguments.append(Numbers(random, parameter))
        else:
            arguments.append(Word(random))
    defaults = len(list(itertools.takewhile(lambda each: each.default is not None,
                                            parameters[::-1])))
    return Call(parameters, arguments, int(random.integers(0, defaults + 1)))


class Wrong:
    """One mistake of a call: its kind, the exceptions that it may raise, the names
    that the message has to hold."""

    def __init__(self, kind, exceptions, *names):
        self.kind, self.exceptions, self.names = kind, exceptions, names

    @staticmethod
    def choose(random, call):
        k = int(random.integers(0, len(call.arguments) - call.omitted + 1))
        if k == len(call.arguments) - call.omitted:
            return wrong_count(random, call)
        parameter = call.parameters[k]
        ways = {"field": FIELD, "scalar": SCALAR, "array": ARRAY, "str": TEXT}[parameter.kind]
        for way in random.permutation(len(ways)):
            kind, exceptions, make = ways[way]
            value = make(random, call, k)
            if value is not None:
                call.mistakes[k] = value[0]
                return Wrong(kind, exceptions, parameter.name, *value[1:])
        raise AssertionError(f"no mistake is made of {parameter}")


def wrong_count(random, call):
    names = [each.name for each in call.parameters]
    needed = sum(each.default is None for each in call.parameters)
    if random.random() < 0.5:
        call.omitted = len(names) - int(random.integers(0, needed))
        return Wrong("too few", TypeError, "arguments are given, expected", *names)
    call.omitted = 0
    call.more = [1] * int(random.integers(1, 4))
    return Wrong("too many", TypeError, "arguments are given, expected", *names)


def whole(call, k):
    return call.arguments[k].given().copy("C")


def other_type(random, call, k):
    dtype = call.parameters[k].dtype
    others = [each for each in "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 ? c8".split()
              if np.dtype(each) != dtype]
    return [np.zeros(call.arguments[k].given().shape, random.choice(others))]


def other_rank(random, call, k):
    value = call.arguments[k].given()
    if value.ndim and random.random() < 0.5:
        return [value[0, ...]] if value.shape[0] else None
    return [value[..., None] if random.random() < 0.5 else value[None]]


def other_element(random, call, k):
    value, element = whole(call, k), call.parameters[k].element
    if not element:
        return None
    axis = -1 - int(random.integers(0, len(element)))
    return [np.repeat(value, 2, axis) if random.random() < 0.5 else np.take(value, [0], axis)]


def unaligned(random, call, k):
    value = whole(call, k)
    if value.dtype.itemsize == 1 or value.size == 0:
        return None
    shift = int(random.integers(1, value.dtype.itemsize))
    memory = np.zeros(value.nbytes + 16, "u1")
    # NumPy's memory is aligned to 16 bytes.
    return [memory[shift:shift + value.nbytes].view(value.dtype).reshape(value.shape)]


def shared(random, call, k):
    """The memory of another argument, where one of the two is changed."""
    for n, other in enumerate(call.arguments):
        if n == k or not isinstance(other, Tensor) or n in call.mistakes:
            continue
        if other.parameter.dtype != call.parameters[k].dtype or not other.given().size:
            continue
        if not (other.parameter.written or call.parameters[k].written):
            continue
        other.flatten()
        call.before = [each.memory.copy() for each in call.tensors()]
        return [other, other.parameter.name, "shares memory"]
    return None


def repeated(random, call, k):
    value = whole(call, k)
    if not call.parameters[k].written or not value.size:
        return None
    axes = [axis for axis, extent in enumerate(value.shape) if extent > 1]
    if not axes:
        return None
    strides = list(value.strides)
    strides[int(random.choice(axes))] = 0
    return [np.lib.stride_tricks.as_strided(value, value.shape, strides), "share memory"]


def beyond(random, call, k):
    dtype = call.parameters[k].dtype
    if dtype.kind not in "iu":
        return None
    limits = np.iinfo(dtype)
    ends = [each for each in (int(limits.min) - 1, int(limits.max) + 1, -2**63, 2**63 - 1)
            if -2**63 <= each < 2**63 and not limits.min <= each <= limits.max]
    return [int(random.choice(ends))] if ends else None


def real(random, call, k):
    return [0.5] if call.parameters[k].dtype.kind != "f" else None


def two(random, call, k):
    return [2] if call.parameters[k].type == "bool" else None


def rows(call, k):
    return call.arguments[k].tensor.given().tolist()


def longer(random, call, k):
    value = rows(call, k)
    return [value + value[:1]]


def shorter(random, call, k):
    return [rows(call, k)[1:]]


def ragged(random, call, k):
    value = rows(call, k)
    if len(call.parameters[k].element) == 1:
        return None
    return [[value[0] + [1.0], *value[1:]]]


def constant(value):
    return lambda random, call, k: [value]


ANYTHING = [("None", TypeError, constant(None)), ("object", TypeError, constant(print))]
FIELD = [("type", TypeError, other_type), ("type", TypeError, other_type),
         ("axes", ValueError, other_rank),
         ("element", ValueError, other_element), ("alignment", ValueError, unaligned),
         ("overlap", ValueError, shared), ("overlap", ValueError, shared),
         ("repeated elements", ValueError, repeated),
         ("repeated elements", ValueError, repeated), ("int for a tensor", TypeError, constant(1)),
         ("list for a tensor", TypeError, constant([1.0, 2.0])), *ANYTHING]
SCALAR = [("range", ValueError, beyond), ("range", ValueError, beyond),
          ("int for a bool", TypeError, two), ("int for a bool", TypeError, two),
          ("float for an int", TypeError, real), ("int for a bool", TypeError, two),
          ("str for a number", TypeError, constant("1")),
          ("tensor for a number", TypeError, constant(np.ones(1))), *ANYTHING]
ARRAY = [("length", ValueError, longer), ("length", ValueError, shorter),
         ("length", ValueError, ragged), ("str for a list", TypeError, constant("123")),
         ("number for a list", TypeError, constant(2.5)),
         ("str in a list", (TypeError, ValueError), constant(["a", "b", "c"])), *ANYTHING]
TEXT = [("int for a str", TypeError, constant(7)), ("tensor for a str", TypeError,
                                                    constant(np.ones(2))), *ANYTHING]


def kinds():
    return {"too few", "too many", *(kind for kind, *_ in FIELD + SCALAR + ARRAY + TEXT)}
