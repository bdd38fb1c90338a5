import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { certificateChain } from '@sallyport/webhooks/jwt'

/** Apple Root CA - G3. */
const appleRoot = '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179'

/** App Store: server notifications of version 2. */
export const appStore = defineService({
  name: 'app-store',
  signature: certificateChain({
    field: 'signedPayload',
    roots: [appleRoot],
    extensions: { leaf: '1.2.840.113635.100.6.11.1', intermediate: '1.2.840.113635.100.6.2.1' },
    check: (claims, bundleIds) => bundleIds.includes(readBundleId(claims)),
  }),
  kind: ['notificationType', 'subtype'],
  id: 'notificationUUID',
  time: 'signedDate',
})

/** Reads the id of the app. Signed transactions, which every customer has, have it in another member. */
function readBundleId(claims: Readonly<Record<string, unknown>>): string {
  const members = [claims['data'], claims['summary'], claims['externalPurchaseToken'], claims['appData']]
  const [{ bundleId } = {}] = members.filter(isObject)
  return typeof bundleId === 'string' ? bundleId : ''
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export const facts: ServiceFacts = {
  title: 'App Store',
  docs: 'https://developer.apple.com/documentation/appstoreservernotifications',
  checked: '2026-11',
  sources: [
    'https://developer.apple.com/documentation/appstoreservernotifications/responding-to-app-store-server-notifications',
    'https://developer.apple.com/documentation/appstoreservernotifications/notificationuuid',
  ],
  identity: 'https://developer.apple.com/documentation/appstoreservernotifications/notificationuuid',
  confidence: 'primary',
  setup: [
    'Open App Store Connect, the app, App Information, App Store Server Notifications.',
    'Enter the address for production and for the sandbox, and select version 2.',
    'The secret is the bundle id of the app, such as `com.example.app`. Apple signs notifications for every app.',
  ],
  retries: 'after 1, 12, 24, 48 and 72 hours, in production only',
  traps: [
    'The event is the payload of the token. `data.signedTransactionInfo` and `data.signedRenewalInfo` are tokens inside the verified event.',
    'A notification of the sandbox has the same signature: compare `data.environment`.',
    'Revocations of certificates are not checked.',
    'For tests, a root certificate in PEM among the secrets is trusted, too.',
  ],
}
