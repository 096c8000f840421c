/** Points of several polylines, flat: x and y in turn. Cleared and filled again without giving memory back. */
export class Polylines {
  points = new Float64Array(512);
  /** 1 where the outline may have a corner, 0 within a curve; one per point. */
  corners = new Uint8Array(256);
  pointCount = 0;
  /** First point of each polyline; `starts[count]` is `pointCount` once `finish` was called. */
  starts = new Int32Array(16);
  closed = new Uint8Array(16);
  count = 0;

  clear(): void {
    this.pointCount = 0;
    this.count = 0;
  }

  begin(): void {
    if (this.count + 2 > this.starts.length) {
      const starts = new Int32Array(this.starts.length * 2);
      starts.set(this.starts);
      this.starts = starts;
      const closed = new Uint8Array(this.starts.length);
      closed.set(this.closed);
      this.closed = closed;
    }
    this.starts[this.count] = this.pointCount;
    this.closed[this.count] = 0;
    this.count++;
  }

  add(x: number, y: number, corner: 0 | 1): void {
    const at = this.pointCount++;
    if (at >= this.corners.length) {
      const points = new Float64Array(this.points.length * 2);
      points.set(this.points);
      this.points = points;
      const corners = new Uint8Array(this.corners.length * 2);
      corners.set(this.corners);
      this.corners = corners;
    }
    this.points[2 * at] = x;
    this.points[2 * at + 1] = y;
    this.corners[at] = corner;
  }

  /** Says that the polyline begun last returns to its first point. */
  close(): void {
    this.closed[this.count - 1] = 1;
  }

  finish(): void {
    this.starts[this.count] = this.pointCount;
  }
}
