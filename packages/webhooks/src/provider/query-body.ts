import { utf8 } from '../crypto/encoding.ts'
import type { AnyProvider } from './provider.ts'

/** Reports whether a request is a delivery by GET, whose query takes the place of the body. */
export const hasQueryBody = ({ methods }: Pick<AnyProvider, 'methods'>, method: string): boolean =>
  method === 'GET' && methods?.includes('GET') === true

/** Returns the query of an address as a form, without decoding it. */
export function readQueryBody(url: string): Uint8Array {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? []
  return utf8(query)
}
