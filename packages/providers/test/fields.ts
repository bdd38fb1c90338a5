import type { AnyProvider } from '@sallyport/webhooks'
import type { ProviderSample } from '@sallyport/webhooks/testing'

type Path = readonly (string | number)[]

/** The paths of all fields in a JSON value, including list elements. */
function* listPaths(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    yield here
    yield* listPaths(member, here)
  }
}

/** A copy of the value with one field changed or removed. */
export function changed(value: unknown, path: Path, change?: { readonly to: unknown }): unknown {
  const copy = structuredClone(value)
  let parent = copy as Record<string | number, unknown>
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string | number, unknown>
  const last = path.at(-1) ?? ''
  if (change !== undefined) parent[last] = change.to
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else Reflect.deleteProperty(parent, last)
  return copy
}

const oddValues = [null, true, -1.5, 1e300, '', [], [null], {}, { id: {} }]

/** The fields without which no event is made: removal or another type makes normalization fail. */
export function requiredFields(provider: AnyProvider, { headers, body }: ProviderSample): readonly string[] {
  const isRead = (payload: unknown): boolean => {
    try {
      const found = provider.normalize({
        payload,
        headers: new Headers(headers),
        body: new Uint8Array(),
        receivedAt: 0,
      })
      return (
        ![found].flat().some(({ data, kind }) => !fits(provider, kind, data)) && [found].flat().length > 0
      )
    } catch {
      return false
    }
  }
  return [...listPaths(body)]
    .filter(
      (path) => !isRead(changed(body, path)) || oddValues.some((to) => !isRead(changed(body, path, { to }))),
    )
    .map((path) => path.join('.'))
}

function fits({ events }: AnyProvider, kind: string, data: unknown): boolean {
  const result = events[kind]?.['~standard'].validate(data)
  return result !== undefined && 'value' in result
}
