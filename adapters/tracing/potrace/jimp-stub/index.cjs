'use strict';

/** As much of jimp as potrace touches when it is handed pixels: their size, their bytes, and a walk over them. */
class Jimp {
  constructor(width, height, data) {
    this.bitmap = { width, height, data };
  }

  scan(left, top, width, height, visit) {
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) visit.call(this, x, y, (y * this.bitmap.width + x) * 4);
    }
    return this;
  }

  static read(_source, callback) {
    callback(new Error('potrace is handed pixels here, not files.'));
  }
}

module.exports = Jimp;
