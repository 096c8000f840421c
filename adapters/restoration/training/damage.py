"""What happens to a drawing before somebody brings it: made small, blurred, noised, compressed, sometimes twice."""

import io

import numpy as np
from PIL import Image, ImageFilter

KERNELS = [Image.BOX, Image.BILINEAR, Image.BICUBIC, Image.LANCZOS]


def compressed(picture, rng, quality):
    """The picture after JPEG (mostly with halved colour, as most encoders do) or WEBP."""
    file = io.BytesIO()
    if rng.random() < 0.88:
        picture.save(file, "JPEG", quality=quality, subsampling=2 if rng.random() < 0.8 else 0)
    else:
        picture.save(file, "WEBP", quality=quality, method=2)
    return Image.open(file).convert("RGB")


def any_quality(rng):
    """Mostly what cameras, pages and messengers use; seldom the extremes."""
    return int(rng.integers(30, 76)) if rng.random() < 0.75 else int(rng.integers(20, 91))


def damaged(original, rng):
    """A picture of half the size, as it might arrive. `original` is an RGB Image with even sides."""
    size = (original.width // 2, original.height // 2)
    if rng.random() < 0.15:
        original = original.filter(ImageFilter.GaussianBlur(rng.uniform(0.4, 2.0)))
    picture = original.resize(size, KERNELS[rng.integers(len(KERNELS))])
    if rng.random() < 0.5:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.2)))
    if rng.random() < 0.15:
        noise = rng.normal(0, rng.uniform(1, 8), (size[1], size[0], 3))
        picture = Image.fromarray(np.clip(np.asarray(picture) + noise, 0, 255).round().astype(np.uint8))
    if rng.random() < 0.85:
        picture = compressed(picture, rng, any_quality(rng))
        if rng.random() < 0.15:
            picture = compressed(picture, rng, any_quality(rng))
    return picture
