/**
 * Sample deliveries of a payments provider, in the shapes that Stripe documents.
 *
 * @module
 */
import { recordedSamples, type Freshness } from '../provider-samples.ts'
import chargeRefunded from './fixtures/charge.refunded.json' with { type: 'json' }
import chargeSucceeded from './fixtures/charge.succeeded.json' with { type: 'json' }
import checkoutCompleted from './fixtures/checkout.completed.json' with { type: 'json' }
import invoicePaid from './fixtures/invoice.paid.json' with { type: 'json' }
import invoicePaymentFailed from './fixtures/invoice.payment_failed.json' with { type: 'json' }
import paymentFailed from './fixtures/payment.failed.json' with { type: 'json' }
import paymentSucceeded from './fixtures/payment.succeeded.json' with { type: 'json' }
import paymentSucceededThin from './fixtures/payment.succeeded.thin.json' with { type: 'json' }
import subscriptionCreated from './fixtures/subscription.created.json' with { type: 'json' }
import subscriptionDeleted from './fixtures/subscription.deleted.json' with { type: 'json' }
import subscriptionDeletedThin from './fixtures/subscription.deleted.thin.json' with { type: 'json' }
import subscriptionUpdated from './fixtures/subscription.updated.json' with { type: 'json' }

interface Fixture {
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly object: string; readonly snapshot_event?: string }
}

const recorded = (kind: string, fixture: Fixture) => ({
  kind,
  ...fixture,
  renew: ({ uuid, now }: Freshness) => {
    const id = `evt_${uuid.replaceAll('-', '')}`
    const isThin = fixture.body.object === 'v2.core.event'
    return {
      body: {
        ...fixture.body,
        id,
        ...(fixture.body.snapshot_event !== undefined && { snapshot_event: `${id}s` }),
        created: isThin ? new Date(now).toISOString() : Math.floor(now / 1000),
      },
    }
  },
})

export const { kinds, sample, samples } = recordedSamples([
  recorded('payment.succeeded', paymentSucceeded),
  recorded('payment.failed', paymentFailed),
  recorded('charge.succeeded', chargeSucceeded),
  recorded('charge.refunded', chargeRefunded),
  recorded('checkout.completed', checkoutCompleted),
  recorded('subscription.created', subscriptionCreated),
  recorded('subscription.updated', subscriptionUpdated),
  recorded('subscription.deleted', subscriptionDeleted),
  recorded('invoice.paid', invoicePaid),
  recorded('invoice.payment_failed', invoicePaymentFailed),
  recorded('payment.succeeded', paymentSucceededThin),
  recorded('subscription.deleted', subscriptionDeletedThin),
])
