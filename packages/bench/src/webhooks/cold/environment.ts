/** The secrets of the receivers. */
export interface Environment {
  readonly GITHUB_SECRET: string
  readonly STRIPE_SECRET: string
}
