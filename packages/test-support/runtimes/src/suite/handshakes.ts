import { defineProvider, hmac, signedTime, type Handshake } from '@sallyport/webhooks'
import {
  graphHandshake,
  metaHandshake,
  oktaHandshake,
  slackHandshake,
  xHandshake,
  zoomHandshake,
} from '@sallyport/webhooks/handshakes'
import { defineCases, expectEqual } from './case.ts'
import { createClient, doorbell, openGateway, signed, type GatewayRequest } from './doorbell.ts'
import { body, createDelivery, secret, toBytes } from './fixed.ts'

const timed = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature',
  prefix: 'v0=',
  timestamp: signedTime({ header: 'x-time' }),
  content: ({ timestamp, body: signedBody }) => ['v0:', timestamp, ':', signedBody],
})

const handshakes: Readonly<Record<string, Handshake>> = {
  meta: metaHandshake({ verifyToken: 'meatyhamhock' }),
  x: xHandshake(),
  okta: oktaHandshake(),
  slack: slackHandshake(),
  zoom: zoomHandshake(),
  graph: graphHandshake(),
}
const providers = Object.entries(handshakes).map(([name, handshake]) =>
  defineProvider({ ...doorbell, name, handshake, ...(name === 'slack' && { signature: timed }) }),
)

/** Sends a challenge and returns the status, content type and body. */
async function requestChallenge(path: string, asked: GatewayRequest): Promise<readonly unknown[]> {
  const { status, headers, text } = await createClient(openGateway(providers, [secret]))({
    ...asked,
    path: `/webhooks/${path}`,
  })
  return [status, headers.get('content-type')?.split(';')[0], text]
}

/** Computes the HMAC of a text with a signature scheme. */
async function computeHmac(text: string, encoding: 'hex' | 'base64'): Promise<string | undefined> {
  const scheme = hmac({ algorithm: 'sha256', encoding, header: 'x' })
  return (await scheme.sign(createDelivery({}, toBytes(text)), secret, 0))['x']
}

const get = { method: 'GET' }
const json = (value: unknown) => [200, 'application/json', JSON.stringify(value)]

export const handshakeCases = defineCases('webhooks/handshakes', {
  'Meta receives its challenge only with the verify token': async () => {
    const query = (token: string) => `meta?hub.mode=subscribe&hub.challenge=115&hub.verify_token=${token}`
    expectEqual(await requestChallenge(query('meatyhamhock'), get), [200, 'text/plain', '115'])
    expectEqual((await requestChallenge(query('another'), get))[0], 405)
  },
  'X receives its token signed': async () => {
    const token = `sha256=${(await computeHmac('challenge_string', 'base64')) ?? ''}`
    expectEqual(await requestChallenge('x?crc_token=challenge_string', get), json({ response_token: token }))
  },
  'Okta receives its header': async () => {
    const headers = { 'x-okta-verification-challenge': 'hsVmYfJyNjPTo0DvR' }
    expectEqual(
      await requestChallenge('okta', { ...get, headers }),
      json({ verification: 'hsVmYfJyNjPTo0DvR' }),
    )
  },
  'Slack receives its signed challenge': async () => {
    const content = { type: 'url_verification', challenge: '3eZbrw1a' }
    expectEqual(await requestChallenge('slack', await signed(content, timed)), [
      200,
      'text/plain',
      '3eZbrw1a',
    ])
    expectEqual((await requestChallenge('slack', await signed(content, timed, 'another secret')))[0], 401)
  },
  'Zoom receives its token signed': async () => {
    const plainToken = 'qgg8vlvZRS6UYooatFL8Aw'
    const content = { event: 'endpoint.url_validation', payload: { plainToken } }
    const encryptedToken = await computeHmac(plainToken, 'hex')
    expectEqual(await requestChallenge('zoom', await signed(content)), json({ plainToken, encryptedToken }))
  },
  'Graph receives its token': async () => {
    const token = 'Validation: 522a8e7e'
    const path = `graph?validationToken=${encodeURIComponent(token)}`
    expectEqual(await requestChallenge(path, { body: new Uint8Array() }), [200, 'text/plain', token])
    expectEqual((await requestChallenge(path, { body }))[0], 401)
  },
})
