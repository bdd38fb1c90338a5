import type { Message } from '@sallyport/webhooks'
import type * as z from 'zod'
import { lines, oneLine, phrase, webLinks, type Messages } from './message.ts'
import type { PaymentsEvents } from './payments-data.ts'

/** The notifications for events of a payments provider. */
export const messages: Messages<PaymentsEvents> = {
  'payment.succeeded': (data) => aboutPayment(data, 'succeeded', 'info'),
  'payment.failed': (data) => aboutPayment(data, 'failed', 'warning'),
  'charge.succeeded': (data) => aboutCharge(data, `Charged${sum(' ', data.amount, data.currency)}`),
  'charge.refunded': (data) =>
    aboutCharge(
      data,
      `Refunded${sum(' ', data.amount_refunded, data.currency)}${data.refunded === true ? '' : sum(' of ', data.amount, data.currency)}`,
    ),
  'checkout.completed': aboutCheckout,
  'subscription.created': (data) => aboutSubscription(data, 'started', 'info'),
  'subscription.updated': (data) =>
    aboutSubscription(data, 'changed', troubled.has(data.status) ? 'warning' : 'info'),
  'subscription.deleted': (data) => aboutSubscription(data, 'ended', 'warning'),
  'invoice.paid': (data) => aboutInvoice(data, 'paid', data.amount_paid ?? data.amount, 'info'),
  'invoice.payment_failed': (data) => aboutInvoice(data, 'not paid', data.amount, 'warning'),
}

/** The states of a subscription with an unpaid invoice. */
const troubled: ReadonlySet<string | null> = new Set(['past_due', 'unpaid', 'incomplete_expired'])

type Details = Pick<
  z.output<PaymentsEvents['payment.succeeded']>,
  'live' | 'account_id' | 'thin' | 'description'
>

function aboutPayment(
  data: z.output<PaymentsEvents['payment.succeeded']>,
  outcome: string,
  severity: Message['severity'],
): Message {
  return {
    title: `Payment${sum(' of ', data.amount, data.currency)} ${outcome}`,
    text: text(data, phrase('By ', data.customer_email), phrase('', data.failure_message, 300)),
    severity,
    links: dashboardLinks('Payment', 'payments', data.payment_id, data),
  }
}

function aboutCharge(data: z.output<PaymentsEvents['charge.succeeded']>, title: string): Message {
  const customer = data.customer_name ?? data.customer_email
  return {
    title,
    text: text(data, phrase('From ', customer)),
    severity: 'info',
    links: dashboardLinks('Payment', 'payments', data.payment_id ?? data.charge_id, data),
  }
}

function aboutCheckout(data: z.output<PaymentsEvents['checkout.completed']>): Message {
  const payment = data.payment_status === 'unpaid' ? 'The payment is still pending.' : ''
  return {
    title: `Checkout completed${sum(': ', data.amount, data.currency)}`,
    text: text(data, phrase('By ', data.customer_name ?? data.customer_email), payment),
    severity: 'info',
    links:
      data.payment_id === null
        ? dashboardLinks('Subscription', 'subscriptions', data.subscription_id, data)
        : dashboardLinks('Payment', 'payments', data.payment_id, data),
  }
}

function aboutSubscription(
  data: z.output<PaymentsEvents['subscription.created']>,
  what: string,
  severity: Message['severity'],
): Message {
  const ends = data.cancel_at_period_end === true
  return {
    title: `Subscription ${what}${what === 'ended' ? '' : phrase(': ', data.status?.replaceAll('_', ' ') ?? null)}`,
    text: text(data, ends ? phrase('It ends on ', toDay(data.current_period_end)) : ''),
    severity,
    links: dashboardLinks('Subscription', 'subscriptions', data.subscription_id, data),
  }
}

function aboutInvoice(
  data: z.output<PaymentsEvents['invoice.paid']>,
  outcome: string,
  amount: number | null,
  severity: Message['severity'],
): Message {
  const again = outcome === 'paid' ? null : data.next_attempt_at
  return {
    title: `Invoice${phrase(' ', data.number)} ${outcome}${sum(': ', amount, data.currency)}`,
    text: text(
      data,
      phrase('For ', data.customer_name ?? data.customer_email),
      phrase('The next attempt is on ', toDay(again)),
    ),
    severity,
    links: dashboardLinks('Invoice', 'invoices', data.invoice_id, data),
  }
}

function text({ thin, live, description }: Details, ...details: readonly string[]): string {
  const said = lines(phrase('', description, 300), ...details)
  const nothing = thin ? 'The details are in the dashboard.' : 'The event has no details.'
  return lines(said === '' ? nothing : said, live === false ? 'In test mode.' : '')
}

/** The date part of a UTC time. */
const toDay = (time: string | null): string | null => time?.slice(0, 10) ?? null

function sum(before: string, amount: number | null, currency: string | null): string {
  return amount === null || currency === null ? '' : `${before}${oneLine(money(amount, currency), 40)}`
}

function dashboardLinks(label: string, place: string, id: string | null, { live, account_id }: Details) {
  if (id === null) return []
  const path = [account_id, live === false ? 'test' : null, place, id].filter((part) => part !== null)
  // `encodeURIComponent` throws for a lone surrogate.
  const encoded = path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')
  return webLinks([{ label, url: `https://dashboard.stripe.com/${encoded}` }])
}

/** Currencies without decimals. */
const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const withThreeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

/**
 * Formats an amount in the smallest currency unit, such as `12.50 EUR`.
 *
 * @see https://docs.stripe.com/currencies#minor-units
 */
function money(amount: number, currency: string): string {
  const decimals = withoutDecimals.has(currency) ? 0 : withThreeDecimals.has(currency) ? 3 : 2
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency.slice(0, 3).toUpperCase()}`
}
