import { SallyportError } from '@sallyport/errors'
import type { Operator } from '@sallyport/operations'
import { createHash, timingSafeEqual } from 'node:crypto'

const { ADMIN_TOKEN: token } = process.env
if (!token) throw new Error('Set ADMIN_TOKEN')

const hash = (text: string) => createHash('sha256').update(text).digest()

/** Replace this function with the sessions of your application. */
export function authorize(header = ''): Operator {
  if (!timingSafeEqual(hash(header), hash(`Bearer ${token}`)))
    throw new SallyportError('INVALID_TOKEN', 'Log in')
  return { id: 'admin', permissions: ['read', 'replay', 'erase', 'manage'] }
}
