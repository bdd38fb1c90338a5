import { z } from 'zod'
import type { Engine } from './engine.ts'

/** What is wrong with an address whose user, password or database cannot be told. */
export const undecodable = 'has a % that does not begin an encoded character: % itself is written %25'

/** Whether texts out of an address are what was meant: a driver would fail on others, or send them as they are. */
export function isDecodable(...texts: readonly string[]): boolean {
  try {
    return texts.map(decodeURIComponent).length === texts.length
  } catch {
    return false
  }
}

/**
 * The address of one of these engines, as it was read: without spaces around it, its scheme in lower case. A problem
 * does not quote it, as it may hold a password or a key.
 */
export function engineUrl(engines: Readonly<Record<string, Engine<unknown>>>) {
  const forms = [...new Set(Object.values(engines).map(({ form }) => form))]
  return z
    .string()
    .transform((text, context) => {
      const url = URL.parse(text)
      if (url !== null && !isDecodable(url.username, url.password)) context.addIssue(undecodable)
      else if (url !== null && engines[url.protocol]?.accepts(url) === true) return url.href
      else context.addIssue(`has to be an address such as ${forms.join(' or ')}`)
      return z.NEVER
    })
    .meta({ form: `such as ${forms.map((form) => `\`${form}\``).join(', ')}` })
}

/** Where an engine is, without what may be secret in its address. */
export function placeOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
