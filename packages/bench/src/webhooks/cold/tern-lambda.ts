import { WebhookVerificationService } from '@hookflo/tern'
import type { LambdaEventV2 } from '../../../../webhooks/src/lambda/event.ts'
import { sendToQueue } from './queue.ts'

const { GITHUB_SECRET = '', STRIPE_SECRET = '' } = process.env

export async function handler({ rawPath, headers, body = null }: LambdaEventV2) {
  const request = new Request(`https://receiver.example${rawPath}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
  })
  const [platform, secret] =
    rawPath === '/webhooks/stripe'
      ? (['stripe', STRIPE_SECRET] as const)
      : (['github', GITHUB_SECRET] as const)
  const { isValid, payload } = await WebhookVerificationService.verifyWithPlatformConfig(
    request,
    platform,
    secret,
  )
  if (!isValid) return { statusCode: 400 }
  await sendToQueue(payload)
  return { statusCode: 200 }
}
