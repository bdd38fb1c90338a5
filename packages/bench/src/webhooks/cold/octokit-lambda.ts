import { Webhooks } from '@octokit/webhooks'
import type { LambdaEventV2 } from '../../../../webhooks/src/lambda/event.ts'
import Stripe from 'stripe'
import { sendToQueue } from './queue.ts'

const { GITHUB_SECRET = '', STRIPE_SECRET = '' } = process.env

const webhooks = new Webhooks({ secret: GITHUB_SECRET })
webhooks.onAny(({ payload }) => sendToQueue(payload))

async function receive({ rawPath, headers, body }: LambdaEventV2): Promise<void> {
  const getHeader = (name: string) => headers?.[name] ?? ''
  const payload = body ?? ''
  if (rawPath === '/webhooks/stripe') {
    const signature = getHeader('stripe-signature')
    await sendToQueue(await Stripe.webhooks.constructEventAsync(payload, signature, STRIPE_SECRET))
  } else {
    await webhooks.verifyAndReceive({
      id: getHeader('x-github-delivery'),
      name: getHeader('x-github-event'),
      payload,
      signature: getHeader('x-hub-signature-256'),
    })
  }
}

export async function handler(event: LambdaEventV2) {
  try {
    await receive(event)
    return { statusCode: 200 }
  } catch {
    return { statusCode: 400 }
  }
}
