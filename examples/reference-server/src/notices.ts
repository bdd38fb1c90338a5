import type { Config } from './config/config.ts'
import type { Logger } from './logging/log.ts'

/** Notices for the operator: logged once, and shown at `/ready` and in the console. */
export interface Notices {
  readonly add: (text: string) => void
  /** Shows the notices of a part as long as the part has them. The part logs them. */
  readonly watch: (...parts: readonly { readonly notices: () => readonly string[] }[]) => void
  readonly list: () => readonly string[]
}

/** Creates the notices, with those of the configuration. */
export function createNotices(config: Config, log: Pick<Logger, 'warn'>): Notices {
  const { leftOut, notices, unasked, production, settings } = config
  const parts: { readonly notices: () => readonly string[] }[] = []
  // The banner shows these.
  const texts = new Set(leftOut.map((name) => `The provider ${name} is not registered: it has no secret`))
  const add = (text: string) => {
    if (!texts.has(text)) log.warn(text)
    texts.add(text)
  }
  notices.forEach(add)
  for (const { name, why } of unasked) add(`${name} counts as unset: ${why}`)
  if (!['production', 'development', 'test'].includes(settings.NODE_ENV))
    add(
      `NODE_ENV is ${JSON.stringify(settings.NODE_ENV.slice(0, 64))}: only production has no generated secrets`,
    )
  if (production && /^http:\/\/(?!localhost|127\.|\[::1\])/i.test(settings.PUBLIC_URL ?? ''))
    add('PUBLIC_URL begins with http: set the https address, to which services send and browsers log in')
  if (production && settings.ROLE.has('api') && settings.REGISTRATION === undefined)
    add('Anyone can register: set REGISTRATION to closed, to invite, or to open if this is intended')
  return {
    add,
    watch: (...more) => {
      parts.push(...more)
    },
    list: () => [...texts, ...parts.flatMap((part) => part.notices())],
  }
}
