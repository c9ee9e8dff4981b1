"""An int8 model that computes in float32: its weights stay whole numbers in the file, its activations are not rounded.

Rounding activations to 255 steps as a model runs makes it a little quicker, but the body trembles by millimetres while
a handle is dragged evenly: from one frame to the next every number lands on another step.
"""

from __future__ import annotations

from typing import Any

TURNED_BACK = "_float"  # after the name of whole-number weights: their values as floats


def float_activations(model: bytes) -> bytes:
    """The model with MatMul of turned-back weights (DequantizeLinear) for each product of whole numbers.

    model: as onnxruntime's `quantize_dynamic` writes it. onnxruntime turns weights back once, as it loads the model, if
    told so by `session.disable_quant_qdq`. A model without such products comes back as it is.
    """
    import onnx
    from onnx import helper

    whole = onnx.load_from_string(model)
    graph = whole.graph
    nodes = list(graph.node)
    made_by = {name: node for node in nodes for name in node.output}
    products = [node for node in nodes if node.op_type == "MatMulInteger"]
    if not products:
        return model
    turned, gone = {}, set()
    for product in products:
        rounding, weights, zero = made_by[product.input[0]], product.input[1], product.input[3]
        cast = _reader(nodes, product.output[0], "Cast")
        scaled = _reader(nodes, cast.output[0], "Mul")
        both = made_by[next(name for name in scaled.input if name != cast.output[0])]
        scale = next(name for name in both.input if name != rounding.output[1])
        plain = weights + TURNED_BACK
        back = helper.make_node("DequantizeLinear", [weights, scale, zero], [plain], name=f"{plain}_of_whole", axis=1)
        turned[id(scaled)] = (back, helper.make_node("MatMul", [rounding.input[0], plain], scaled.output, product.name))
        gone |= {id(product), id(cast), id(both), id(rounding)}
    kept: list[Any] = []
    for node in nodes:
        if id(node) in turned:
            kept += turned[id(node)]
        elif id(node) not in gone:
            kept.append(node)
    del graph.node[:]
    graph.node.extend(kept)
    read = {name for node in kept for name in node.input}
    tensors = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.initializer[:]
    graph.initializer.extend(tensors)
    onnx.checker.check_model(whole)
    return bytes(whole.SerializeToString())


def _reader(nodes: list[Any], name: str, kind: str) -> Any:
    """The node of that kind that reads the value. Raises StopIteration if there is none."""
    return next(node for node in nodes if name in node.input and node.op_type == kind)
