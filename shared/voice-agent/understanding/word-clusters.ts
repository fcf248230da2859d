import stored from '../language/en-US/word-clusters.json' with { type: 'json' };

const clusters = new Map(
  stored.clusters.flatMap((words, at) => words.split(' ').map((word) => [word, `<${at}>`] as const)),
);

/** The name of the cluster of words used like this one, so a word without an example still has meaning. */
export function clusterOf(word: string): string | null {
  return clusters.get(word) ?? null;
}

/** The clusters of words, alone and beside their neighbors. */
export function clustersOf(words: readonly string[]): { readonly alone: string[]; readonly pairs: string[] } {
  const named = words.map((word) => clusterOf(word) ?? word);
  const framed = ['^', ...named, '$'];
  return {
    alone: named.filter((name, at) => name !== words[at]).map((name) => `k ${name}`),
    pairs: framed.slice(1).map((name, at) => `kp ${framed[at]} ${name}`),
  };
}
