import { sign } from '@octokit/webhooks-methods'
import { expect, it } from 'vitest'
import { numberedDeliveries } from './numbered.ts'

it('signs a delivery with a new number each time', async () => {
  const numbered = { secret: 'a secret', tail: '}' }
  const next = numberedDeliveries({ path: '/', headers: { 'x-kind': 'a' }, body: '{"id":', numbered })
  const [first, second] = [next(), next()]
  expect(JSON.parse(second.body.toString())).toEqual({
    id: (JSON.parse(first.body.toString()) as { id: number }).id + 1,
  })
  for (const { headers, body } of [first, second]) {
    const signature = await sign(numbered.secret, body.toString())
    expect(headers).toEqual({ 'x-kind': 'a', 'x-hub-signature-256': signature })
  }
})
