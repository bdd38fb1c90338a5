import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Expo: webhooks of EAS Build and EAS Submit. */
export const expo = defineService({
  name: 'expo',
  signature: hmac({ algorithm: 'sha1', encoding: 'hex', header: 'expo-signature', prefix: 'sha1=' }),
  kind: [(event) => readProduct(event), 'status'],
  subject: 'id',
  time: ['completedAt', 'updatedAt'],
})

/** Each product has the address of its own page. */
function readProduct(event: unknown): string | undefined {
  const { buildDetailsPageUrl, submissionDetailsPageUrl } = Object(event) as Readonly<Record<string, unknown>>
  if (typeof buildDetailsPageUrl === 'string') return 'build'
  return typeof submissionDetailsPageUrl === 'string' ? 'submit' : undefined
}

export const facts: ServiceFacts = {
  title: 'Expo',
  docs: 'https://docs.expo.dev/eas/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.expo.dev/eas/webhooks.md',
    'https://github.com/expo/expo/blob/main/docs/pages/eas/webhooks.mdx',
  ],
  setup: [
    'Run `eas webhook:create` in the project with the address, for `BUILD` and again for `SUBMIT`.',
    'The secret is the signing secret that you enter: at least 16 characters.',
  ],
  retries: 'a few times with growing delays after a status outside of 200 to 399',
  traps: [
    'The body does not name its event: the kind is `build` or `submit` and the status, such as `build.finished`.',
  ],
}
