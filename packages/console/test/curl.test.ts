import { expect, it } from 'vitest'
import type { DecodedBody } from '../src/app/body/decode.ts'
import { toCurl } from '../src/app/deliveries/commands.ts'
import type { components } from '../src/app/api/schema.ts'

type DeliveryDetail = components['schemas']['DeliveryDetail']

const delivery = {
  provider: 'codehost',
  endpoint: null,
  headers: { 'x-id': '1', 'x-signature': '[redacted]', host: 'hooks.example.com' },
  query: 'data.id=1&token=%5Bredacted%5D&door=it%27s',
} as unknown as DeliveryDetail
const firstLine = (changes: Partial<DeliveryDetail>) =>
  toCurl({ ...delivery, ...changes }, undefined, 'http://localhost:3111').split(' \\\n')[0]

it('creates a curl command with the query, without redacted values', () => {
  expect(toCurl(delivery, undefined, 'http://localhost:3111')).toBe(
    `curl --request POST 'http://localhost:3111/webhooks/codehost?data.id=1&door=it%27s' \\\n  --header 'x-id: 1'`,
  )
})

it.each([null, 'token=%5Bredacted%5D'])('creates an address without a query from %j', (query) => {
  expect(firstLine({ query, endpoint: 'acme' })).toBe(
    `curl --request POST 'http://localhost:3111/webhooks/codehost/acme'`,
  )
})

it('sends a body that begins with @ as text', () => {
  const body = { text: '@/etc/passwd', bytes: new TextEncoder().encode('@/etc/passwd') } as DecodedBody
  expect(toCurl(delivery, body, 'http://localhost:3111').split(' \\\n').at(-1)).toBe(
    `  --data-raw '@/etc/passwd'`,
  )
})
