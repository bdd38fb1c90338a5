import { readJsonText } from '../inbox/body.ts'
import { isSealed } from './key-ring.ts'
import { bodyContext } from './seal.ts'
import type { Vault } from './vault.ts'

/** Returns the JSON text of the stored body of a delivery. @throws Error for other bytes, and the errors of a vault */
export const readJson = (body: Uint8Array, delivery: string, { openBytes }: Vault): string =>
  readJsonText(isSealed(body) ? openBytes(body, bodyContext(delivery)).body : body)
