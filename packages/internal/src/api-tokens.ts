import { z } from 'zod'

/** The name of a token in a file of declarations. */
export const apiTokenName = z.string().regex(/^API_TOKEN_[A-Z0-9_]{1,100}$/, 'Must begin with API_TOKEN_')

/** Returns why a token of a file of declarations cannot be used; undefined for one that the store has. */
export function findTokenProblem(
  secrets: {
    readonly all: (name: string) => readonly string[]
    readonly failure: (name: string) => string | undefined
  },
  name: string,
  declared: string,
): string | undefined {
  if (secrets.all(name).length > 0) return undefined
  return secrets.failure(name) ?? `${name} is missing: ${declared} names it`
}

interface TokenStore {
  readonly renew: (
    name: string,
  ) => Promise<{ readonly values: readonly string[]; readonly leaseMs?: number | undefined }>
}

/**
 * Creates the function that returns the token of the API of a service. A token is read again when its lease ends, and after the service
 * refused it.
 *
 * @param now a monotonic clock in milliseconds. @default performance.now
 */
export function createTokenReader(secrets: TokenStore, now: () => number = () => performance.now()) {
  const tokens = new Map<string, { readonly token: string; readonly endsAt: number }>()
  /** @throws Error `TOKEN_MISSING`, and as the store */
  return async (name: string, isRefused: boolean): Promise<string> => {
    const last = tokens.get(name)
    if (last !== undefined && !isRefused && now() < last.endsAt) return last.token
    const { values, leaseMs = Infinity } = await secrets.renew(name)
    const [token] = values
    if (token === undefined) throw Object.assign(new Error(`${name} is missing`), { code: 'TOKEN_MISSING' })
    tokens.set(name, { token, endsAt: now() + leaseMs })
    return token
  }
}
