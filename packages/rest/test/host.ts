export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string
  /** Whether the body has no Content-Length. */
  readonly chunked?: boolean
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A running API at /api. */
export interface Host {
  readonly send: (sent: Sent) => Promise<Answer>
  readonly close: () => Promise<void>
}

/** Headers of the framing, which are the responsibility of each server. */
const framing = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

export const createAnswer = (status: number, headers: Iterable<[string, string]>, body: string): Answer => ({
  status,
  headers: Object.fromEntries(
    [...Map.groupBy(headers, ([name]) => name.toLowerCase())]
      .map(([name, entries]) => [name, entries.map(([, value]) => value).join(',')] as const)
      .filter(([name]) => !framing.has(name))
      .sort(),
  ),
  body,
})
