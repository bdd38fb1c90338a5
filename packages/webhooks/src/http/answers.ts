/** What says that the very same request will never be taken; the rest may be mended until the retries end. */
const final: ReadonlySet<number> = new Set([400, 410, 413, 415, 422])

/** Whether a status speaks of the request itself, which will be no other tomorrow. */
export const isFinal = (status: number): boolean => final.has(status)

/** Milliseconds that `Retry-After` asks for, which may be seconds or a date. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return wait > 0 ? wait : undefined
}

/** Why a server could not be asked: the code of the system's error, and nothing of its message, which has the address. */
export function networkCode(error: unknown): string | undefined {
  const { code } = ((error as { cause?: unknown } | undefined)?.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z]\w{1,63}$/.test(code) ? code : undefined
}

/** An address that can be posted to: http or https, without a user or password in it. */
export function httpTarget(address: string): URL | undefined {
  const url = URL.parse(address)
  const postable =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return postable ? url : undefined
}
