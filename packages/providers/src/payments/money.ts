/** Currencies whose smallest unit is the whole one. */
const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const withThreeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

/**
 * An amount for people, such as `12.50 EUR`, from the smallest units that the service counts in.
 *
 * @see https://docs.stripe.com/currencies#minor-units
 */
export function money(amount: number, currency: string): string {
  const decimals = withoutDecimals.has(currency) ? 0 : withThreeDecimals.has(currency) ? 3 : 2
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency.slice(0, 3).toUpperCase()}`
}
