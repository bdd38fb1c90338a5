import { z } from 'zod'
import type { Engine } from './engine.ts'

/** The message for an address whose user, password or path cannot be decoded. */
export const undecodable = 'has a % without two hexadecimal digits: write % as %25'

/** Reports whether parts of an address are percent-encoded correctly; a driver would fail or send them undecoded. */
export function isDecodable(...texts: readonly string[]): boolean {
  try {
    return texts.map(decodeURIComponent).length === texts.length
  } catch {
    return false
  }
}

/**
 * Creates the schema for the address of one of these engines. No message quotes the address, which may contain a password
 * or a key.
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

/** Formats the scheme and host of an address, without credentials. */
export function formatEngineOrigin(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** Parses the http or https address in an address such as `inngest+https://…`. */
export function parseHttpAddress(address: string): URL | undefined {
  const url = URL.parse(address.replace(/^[a-z]+\+/i, ''))
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.hash === ''
  return isHttp ? url : undefined
}
