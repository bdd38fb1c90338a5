import { createWebhookHandler } from '@hookflo/tern/cloudflare'
import type { Environment } from './environment.ts'
import { sendToQueue } from './queue.ts'

const handler = async (payload: unknown) => {
  await sendToQueue(payload)
  return { received: true }
}
const handlers = {
  '/webhooks/github': createWebhookHandler({ platform: 'github', secretEnv: 'GITHUB_SECRET', handler }),
  '/webhooks/stripe': createWebhookHandler({ platform: 'stripe', secretEnv: 'STRIPE_SECRET', handler }),
}

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const { pathname } = new URL(request.url)
    const handle = Object.entries(handlers).find(([path]) => path === pathname)?.[1]
    return handle === undefined ? new Response(null, { status: 404 }) : handle(request, { ...environment })
  },
}
