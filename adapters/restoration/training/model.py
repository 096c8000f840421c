"""The restorer: plain 3x3 convolutions at the small size, one pixel shuffle, and the enlarged picture added to it."""

import torch
from torch import nn
from torch.nn import functional


class Restorer(nn.Module):
    """The layout of Real-ESRGAN's compact models: 1x3xHxW RGB 0..1 in, 1x3x2Hx2W out."""

    def __init__(self, features=32, layers=8):
        super().__init__()
        convolutions = [nn.Conv2d(3, features, 3, padding=1), nn.ReLU(inplace=True)]
        for _ in range(layers):
            convolutions += [nn.Conv2d(features, features, 3, padding=1), nn.ReLU(inplace=True)]
        self.body = nn.Sequential(*convolutions, nn.Conv2d(features, 12, 3, padding=1))
        for layer in self.body:
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                nn.init.zeros_(layer.bias)
        # At first the net answers with the enlarged picture alone.
        nn.init.normal_(self.body[-1].weight, std=1e-3)

    def forward(self, picture):
        residual = functional.pixel_shuffle(self.body(picture), 2)
        return residual + functional.interpolate(picture, scale_factor=2, mode="nearest")


def export(model, path):
    """Writes the model as ONNX; height and width stay free."""
    model = model.eval()
    free = {2: "height", 3: "width"}
    torch.onnx.export(
        model,
        torch.zeros(1, 3, 32, 32),
        path,
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": free, "output": {2: "height2", 3: "width2"}},
        opset_version=13,
    )
