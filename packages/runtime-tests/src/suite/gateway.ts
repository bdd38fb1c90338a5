import { createLambdaHandler } from '@sallyport/webhooks/lambda'
import { casesOf, equal } from './case.ts'
import { asker, doorbell, openGateway, rung, signed, type Asked } from './doorbell.ts'
import { bytesOf, secret } from './fixed.ts'

const open = () => asker(openGateway([doorbell], [secret]))

/** What the answers to deliveries say, one after another, to one gateway. */
async function answers(...asked: readonly (Asked | Promise<Asked>)[]): Promise<readonly unknown[]> {
  const ask = open()
  const said: unknown[] = []
  for (const one of asked) {
    const answer = await ask(await one)
    said.push([answer.status, answer.said])
  }
  return said
}

const streamed = (size: number): ReadableStream<Uint8Array> => {
  let left = size
  return new ReadableStream({
    pull(controller) {
      if (left > 0) controller.enqueue(new Uint8Array(Math.min(left, 100)))
      else controller.close()
      left -= 100
    },
  })
}

export const gatewayCases = casesOf('webhooks', {
  'the gateway accepts a delivery, and knows it again': async () => {
    equal(await answers(signed(rung()), signed(rung()), signed(rung('2'))), [
      [200, 'accepted'],
      [200, 'duplicate'],
      [200, 'accepted'],
    ])
  },
  'the gateway ignores what nobody asked for, and keeps what it cannot read': async () => {
    equal(await answers(signed({ ...rung(), kind: 'polished' }), signed({ kind: 'rung' })), [
      [200, 'ignored'],
      [200, 'quarantined'],
    ])
  },
  'the gateway refuses bad signatures, and then the address': async () => {
    const forged = signed(rung(), undefined, 'another secret')
    equal(await answers(forged, { body: bytesOf(rung()) }, forged, signed(rung())), [
      [401, 'INVALID_SIGNATURE'],
      [401, 'INVALID_SIGNATURE'],
      [401, 'INVALID_SIGNATURE'],
      [429, 'RATE_LIMITED'],
    ])
  },
  'the gateway refuses what is malformed': async () => {
    equal(await answers(signed('{"kind":'), signed(`${'['.repeat(400)}${']'.repeat(400)}`)), [
      [400, 'INVALID_JSON'],
      [400, 'INVALID_JSON'],
    ])
  },
  'the gateway refuses a body that is too large, whether it is announced or streamed': async () => {
    equal(await answers(signed('x'.repeat(1001)), { body: streamed(100_000) }), [
      [413, 'PAYLOAD_TOO_LARGE'],
      [413, 'PAYLOAD_TOO_LARGE'],
    ])
  },
  'the gateway refuses other paths and methods': async () => {
    const ask = open()
    equal((await ask({ path: '/webhooks/nobody' })).said, 'UNKNOWN_PROVIDER')
    const answer = await ask({ method: 'GET' })
    equal([answer.said, answer.headers.get('allow')], ['METHOD_NOT_ALLOWED', 'POST, OPTIONS'])
  },
  'the gateway answers once the bus has the event, where there is no inbox': async () => {
    const seen: unknown[] = []
    const ask = asker(
      openGateway([doorbell], [secret], {
        async publish(events) {
          await Promise.resolve()
          seen.push(...events.map(({ id, name, data }) => [id, name, data]))
          return events.map(({ id }) =>
            id.endsWith(':2') ? { ok: false, retryable: true, error: 'away' } : { ok: true },
          )
        },
      }),
    )
    equal((await ask(await signed(rung()))).status, 200)
    equal((await ask(await signed(rung('2')))).status, 503)
    equal(seen[0], ['doorbell:bell.rung:1', 'doorbell/bell.rung', { door: 'Haustür' }])
  },
})

/** What needs the `Buffer` of Node. */
export const lambdaCases = casesOf('webhooks/lambda', {
  'a gateway answers on AWS Lambda': async () => {
    const handler = createLambdaHandler(openGateway([doorbell], [secret]))
    const { body, headers } = await signed(rung())
    const answer = await handler({
      rawPath: '/webhooks/doorbell',
      rawQueryString: '',
      headers: { ...headers },
      requestContext: { http: { method: 'POST', sourceIp: '192.0.2.1' } },
      body: btoa(String.fromCharCode(...(body as Uint8Array))),
      isBase64Encoded: true,
    })
    equal([answer.statusCode, answer.body.includes('accepted')], [200, true])
  },
})
