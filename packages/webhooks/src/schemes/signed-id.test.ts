import { expect, it } from 'vitest'
import { redactHeaders } from '../gateway/redact.ts'
import { hmac } from './hmac.ts'
import { signedId } from './stamps.ts'

it('has its header under the lower-case name, however that is written, and keeps its value readable', () => {
  const signature = hmac({
    ...{ algorithm: 'sha256', encoding: 'hex', header: 'X-Signature' },
    id: signedId({ header: 'X-Signature-Id' }),
    content: ({ id, body }) => [id, '.', body],
  })
  expect(signature).toMatchObject({
    headers: ['x-signature', 'x-signature-id'],
    signedHeaders: ['x-signature-id'],
    signedIds: ['x-signature-id'],
  })
  const headers = new Headers({ 'X-Signature-Id': 'msg_1', 'X-Signature': 'proof' })
  // Its name says that it holds a signature: only that the scheme names it keeps it.
  expect(redactHeaders(headers, { signature })).toEqual({
    'x-signature': '[redacted]',
    'x-signature-id': 'msg_1',
  })
})
