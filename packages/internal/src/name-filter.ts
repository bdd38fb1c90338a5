import { createKindFilter } from './kind.ts'

/**
 * Creates a test for names of events from patterns: `github/push`, `github/pull_request.*` for a kind and each kind below it,
 * or `github/*` for all kinds of a provider.
 *
 * @throws TypeError for another pattern
 */
export function createNameFilter(patterns: readonly string[]): (name: string) => boolean {
  const providers = new Set<string>()
  const kinds = new Map<string, string[]>()
  for (const pattern of patterns) {
    const [, provider = '', kind = ''] = /^([a-z][a-z0-9-]*)\/(.+)$/.exec(pattern) ?? []
    if (provider === '') throw unreadable(pattern)
    if (kind === '*') providers.add(provider)
    else kinds.set(provider, [...(kinds.get(provider) ?? []), kind])
  }
  const filters = new Map(Array.from(kinds, ([provider, some]) => [provider, createFilter(provider, some)]))
  return (name) => {
    const end = name.indexOf('/')
    const provider = name.slice(0, end)
    return providers.has(provider) || filters.get(provider)?.(name.slice(end + 1)) === true
  }
}

function createFilter(provider: string, kinds: readonly string[]): (kind: string) => boolean {
  for (const kind of kinds) {
    try {
      createKindFilter([kind])
    } catch {
      throw unreadable(`${provider}/${kind}`)
    }
  }
  return createKindFilter(kinds)
}

const unreadable = (pattern: string) =>
  new TypeError(
    `A pattern for events reads like "github/push", "github/push.*" or "github/*", not "${pattern}"`,
  )
