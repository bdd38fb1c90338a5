/** The choices of a project; the first of each list is the default. */
export const choices = {
  kind: ['both', 'api', 'webhooks'],
  database: ['sqlite', 'postgres'],
  framework: ['fastify', 'express', 'hono', 'node'],
} as const

export type Choice = keyof typeof choices

export type ProjectOptions = { readonly [Name in Choice]: (typeof choices)[Name][number] } & {
  /** The name of the package and of its folder. */
  readonly name: string
}

/** @throws TypeError for a name that is not that of a package and of a folder */
export function checkName(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return name
  throw new TypeError('The name consists of lower-case letters, digits, "-", "_" and "."')
}

/** @throws TypeError for an unknown value */
export function choose<Name extends Choice>(name: Name, value: string): (typeof choices)[Name][number] {
  const known: readonly (typeof choices)[Name][number][] = choices[name]
  const found = known.find((one) => one === value)
  if (found !== undefined) return found
  throw new TypeError(`--${name} is one of ${known.join(', ')}`)
}
