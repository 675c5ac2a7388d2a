// SPDX-License-Identifier: Apache-2.0

/**
 * The heights of many items, and the item at a place, each in O(log count): a Fenwick tree.
 */
export class Heights {
  /** @param {number} estimatePx of an item that was not measured */
  constructor(estimatePx) {
    this.estimatePx = estimatePx;
    this.count = 0;
    this.px = new Float64Array(0);
    this.sums = new Float64Array(1);
  }

  /** @param {number} count */
  setCount(count) {
    const grown = new Float64Array(count).fill(this.estimatePx);
    grown.set(this.px.subarray(0, Math.min(count, this.count)));
    this.px = grown;
    this.count = count;
    this.sums = new Float64Array(count + 1);
    for (let i = 1; i <= count; i++) {
      this.sums[i] = at(this.sums, i) + at(grown, i - 1);
      const up = i + (i & -i);
      if (up <= count) this.sums[up] = at(this.sums, up) + at(this.sums, i);
    }
  }

  /**
   * @param {number} index
   * @param {number} px
   * @returns {boolean} whether the height is another one now
   */
  set(index, px) {
    if (index >= this.count || px === 0 || this.px[index] === px) return false;
    const more = px - at(this.px, index);
    this.px[index] = px;
    for (let i = index + 1; i <= this.count; i += i & -i) this.sums[i] = at(this.sums, i) + more;
    return true;
  }

  /** @param {number} index */
  of(index) {
    return this.px[index] ?? this.estimatePx;
  }

  /**
   * The sum of the heights before an item.
   *
   * @param {number} index
   */
  offset(index) {
    let sum = 0;
    for (let i = Math.min(index, this.count); i > 0; i -= i & -i) sum += at(this.sums, i);
    return sum;
  }

  total() {
    return this.offset(this.count);
  }

  /**
   * The item at a place; the nearest one for a place before the first or behind the last.
   *
   * @param {number} px
   */
  find(px) {
    let index = 0;
    let left = px;
    for (let step = 1 << Math.floor(Math.log2(Math.max(1, this.count))); step > 0; step >>= 1) {
      if (index + step <= this.count && at(this.sums, index + step) <= left) {
        index += step;
        left -= at(this.sums, index);
      }
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }
}

/**
 * @param {Float64Array} numbers
 * @param {number} index
 */
function at(numbers, index) {
  return numbers[index] ?? 0;
}
