import { createWebMiddleware, Webhooks } from '@octokit/webhooks'
import Stripe from 'stripe'
import type { Environment } from './environment.ts'
import { sendToQueue } from './queue.ts'

type Handler = (request: Request) => Promise<Response>

function createGitHubHandler(secret: string): Handler {
  const webhooks = new Webhooks({ secret })
  webhooks.onAny(({ payload }) => sendToQueue(payload))
  return createWebMiddleware(webhooks, { path: '/webhooks/github' })
}

async function handleStripe(request: Request, secret: string): Promise<Response> {
  const signature = request.headers.get('stripe-signature') ?? ''
  try {
    await sendToQueue(await Stripe.webhooks.constructEventAsync(await request.text(), signature, secret))
    return new Response(null, { status: 200 })
  } catch {
    return new Response(null, { status: 400 })
  }
}

let handleGitHub: Handler | undefined

export default {
  async fetch(request: Request, { GITHUB_SECRET, STRIPE_SECRET }: Environment): Promise<Response> {
    if (new URL(request.url).pathname === '/webhooks/stripe')
      return await handleStripe(request, STRIPE_SECRET)
    handleGitHub ??= createGitHubHandler(GITHUB_SECRET)
    return await handleGitHub(request)
  },
}
