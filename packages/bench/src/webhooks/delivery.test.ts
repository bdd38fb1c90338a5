import { codehost } from '@sallyport/providers/codehost'
import { createGateway, createMemoryBus, staticSecrets } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { numberedDeliveries } from '../frame/numbered.ts'
import { createRunLoad, secret } from './delivery.ts'

const gateway = createGateway({
  providers: [codehost],
  secrets: staticSecrets({ codehost: [secret] }),
  publisher: createMemoryBus(),
})

it.each([undefined, 1024, 10_240, 102_400, 1_048_576])(
  'is accepted by the gateway: %s bytes',
  async (bytes) => {
    const { headers, body } = numberedDeliveries(createRunLoad(bytes))()
    if (bytes !== undefined) expect(body.length).toBe(bytes)
    const { status, body: answer } = await gateway.handle({
      method: 'POST',
      provider: 'codehost',
      headers: new Headers(headers),
      async readBody(sink) {
        sink.push(body)
      },
    })
    expect([status, (JSON.parse(answer) as { data: { status: string } }).data.status]).toEqual([
      200,
      'accepted',
    ])
  },
)
