import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { printable, printableJson, success, type Io } from './io.ts'
import { parseExpiry } from './parse-time.ts'

export interface CreateKeyOptions extends ApiOptions {
  readonly scope: readonly string[]
  /** Labels of the endpoints that the key is limited to. @default no limit */
  readonly endpoints?: string
  /** When the key expires: a duration such as `30d`, a time, or `never`. @default 90d */
  readonly expires?: string
}

const created = envelopeSchema(z.looseObject({ id: z.string(), name: z.string(), key: z.string() }))

/** Creates an API key, and prints the key once. */
export async function createKey(name: string, options: CreateKeyOptions, io: Io): Promise<number> {
  const { scope: scopes, endpoints = null, expires = '90d' } = options
  const json = {
    name,
    scopes,
    endpoints,
    expires_at: expires === 'never' ? null : parseExpiry(expires, io.now()),
  }
  const { data } = await requestApi({ method: 'POST', path: '/keys', json }, created, options, io)
  if (options.json === true) io.out(printableJson(data))
  else {
    io.err(`Created ${printable(data.name)}, ${printable(data.id)}. The key is shown once:`)
    io.out(printable(data.key))
  }
  return success
}

/** Deletes an API key and the keys that it created. */
export async function deleteKey(id: string, options: ApiOptions, io: Io): Promise<number> {
  const path = `/keys/${encodeURIComponent(id)}`
  await requestApi({ method: 'DELETE', path }, z.undefined(), options, io)
  io.out(`Deleted ${printable(id)}`)
  return success
}
