import type { Connection } from './connection.ts'

/**
 * Returns the name of a key. In a Redis Cluster, all keys of a script must be on one node, so the name needs a hash tag:
 * the default gets one.
 *
 * @throws TypeError for a given name without a hash tag in a Redis Cluster
 */
export function nameKey(
  { isCluster }: Pick<Connection, 'isCluster'>,
  option: string,
  given: string | undefined,
  fallback: string,
): string {
  if (!isCluster) return given ?? fallback
  if (given === undefined) return `{${fallback}}`
  if (hasHashTag(given)) return given
  throw new TypeError(`${option} must have a hash tag in a Redis Cluster, such as {${given}}`)
}

/** Reports whether a part of a key in braces selects its node. */
const hasHashTag = (key: string): boolean => /^[^{]*\{[^}]+\}/.test(key)
