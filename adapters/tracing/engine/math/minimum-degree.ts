/** In which order the unknowns of a symmetric system are eliminated, and what its factor has. */
export interface Elimination {
  /** The unknowns, first one first. */
  readonly order: Int32Array;
  /** Per unknown those behind it that its column of the factor has, in that order. */
  readonly columns: readonly (readonly number[])[];
}

/**
 * The order in which every unknown is eliminated when it is tied to the fewest others that are left (minimum degree: Tinney and Walker 1967, Rose 1972); what it is
 * tied to is then tied to each other. For what lies in the plane the factor stays small: a few entries a column, however many there are. `pairs` are
 * those that occur together, two and two, in any order and as often as they do. Undefined where it takes more than `mostWork` multiplications.
 */
export function eliminateByDegree(count: number, pairs: readonly number[], mostWork: number): Elimination | undefined {
  const elimination = new MinimumDegree(count, pairs);
  let work = 0;
  for (let k = 0; k < count; k++) {
    work += elimination.eliminate(k);
    if (work > mostWork) return undefined;
  }
  const { order, tied } = elimination;
  const place = new Int32Array(count);
  for (let k = 0; k < count; k++) place[order[k]] = k;
  for (const column of tied) if (column.length > 1) column.sort((a, b) => place[a] - place[b]);
  return { order, columns: tied };
}

class MinimumDegree {
  readonly order: Int32Array;
  /** Per unknown those that it is tied to and that are left; or were, when it was eliminated. */
  readonly tied: number[][];
  /** Those that are left by how many they are tied to, as lists: the first of each, and per unknown the one behind it and the one before. */
  private readonly heads: Int32Array;
  private readonly nexts: Int32Array;
  private readonly befores: Int32Array;
  /** No unknown that is left is tied to fewer. */
  private fewest = 0;
  /** Per unknown the search that met it last. */
  private readonly met: Int32Array;
  private searches = 0;

  constructor(count: number, pairs: readonly number[]) {
    this.order = new Int32Array(count);
    this.heads = new Int32Array(count + 1).fill(-1);
    this.nexts = new Int32Array(count);
    this.befores = new Int32Array(count);
    this.met = new Int32Array(count);
    this.tied = Array.from({ length: count }, () => []);
    const { tied, met } = this;
    for (let k = 0; k < pairs.length; k += 2) {
      if (pairs[k] === pairs[k + 1]) continue;
      tied[pairs[k]].push(pairs[k + 1]);
      tied[pairs[k + 1]].push(pairs[k]);
    }
    // Each once.
    for (let n = 0; n < count; n++) {
      const search = ++this.searches;
      const own = tied[n];
      let kept = 0;
      for (let k = 0; k < own.length; k++) {
        if (met[own[k]] === search) continue;
        met[own[k]] = search;
        own[kept++] = own[k];
      }
      own.length = kept;
    }
    for (let n = count - 1; n >= 0; n--) this.enlist(n);
  }

  /** Eliminates the next one, the `k`-th; returns about how many multiplications that takes in blocks of two by two. */
  eliminate(k: number): number {
    const { order, tied, heads } = this;
    while (heads[this.fewest] < 0) this.fewest++;
    const own = heads[this.fewest];
    this.delist(own);
    order[k] = own;
    const others = tied[own];
    for (let i = 0; i < others.length; i++) this.tieTo(others[i], own, others);
    return 4 * (others.length + 1) ** 2;
  }

  /** Ties an unknown to others instead of to the one that is eliminated. */
  private tieTo(unknown: number, eliminated: number, others: readonly number[]): void {
    const { met } = this;
    const tied = this.tied[unknown];
    this.delist(unknown);
    const search = ++this.searches;
    met[unknown] = search;
    let at = 0;
    for (let k = 0; k < tied.length; k++) {
      if (tied[k] === eliminated) at = k;
      else met[tied[k]] = search;
    }
    tied[at] = tied[tied.length - 1];
    tied.length--;
    for (let k = 0; k < others.length; k++) if (met[others[k]] !== search) tied.push(others[k]);
    this.enlist(unknown);
    if (tied.length < this.fewest) this.fewest = tied.length;
  }

  private enlist(unknown: number): void {
    const { heads, nexts, befores } = this;
    const degree = this.tied[unknown].length;
    const next = heads[degree];
    nexts[unknown] = next;
    befores[unknown] = -1;
    if (next >= 0) befores[next] = unknown;
    heads[degree] = unknown;
  }

  private delist(unknown: number): void {
    const { heads, nexts, befores } = this;
    const next = nexts[unknown];
    const before = befores[unknown];
    if (before >= 0) nexts[before] = next;
    else heads[this.tied[unknown].length] = next;
    if (next >= 0) befores[next] = before;
  }
}
