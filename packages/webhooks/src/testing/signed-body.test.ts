import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { defineService, hmac, jsonField, jsonSignature } from '../index.ts'
import { testService } from './index.ts'

const doorbell = defineService({
  name: 'doorbell',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: jsonSignature('signature'),
    content: ({ body }) => [jsonField(body, 'id')],
    covers: ['id'],
  }),
  kind: 'type',
  id: 'id',
})

testService(
  { describe, expect, it },
  {
    provider: doorbell,
    samples: [
      { kind: 'ring', source: 'test', headers: {}, body: { type: 'ring', id: 'r-1' } },
      { kind: 'knock', source: 'test', headers: {}, body: { type: 'knock', id: 'k-1' } },
    ],
    sign({ text, secret }) {
      const payload = JSON.parse(text) as { id: string }
      const signature = createHmac('sha256', secret).update(payload.id).digest('hex')
      return { headers: {}, body: new TextEncoder().encode(JSON.stringify({ ...payload, signature })) }
    },
  },
)
