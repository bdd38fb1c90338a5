const content = ['subject', 'value', 'text', 'error'] as const

type Content = (typeof content)[number]

/**
 * Removes the criteria that quote content of deliveries, such as the subject of an event. What is kept about an action must
 * not have them: an erasure does not find it.
 */
export function withoutContent<Criteria extends object>(criteria: Criteria): Omit<Criteria, Content> {
  const kept = Object.entries(criteria).filter(([name]) => !content.some((one) => one === name))
  return Object.fromEntries(kept) as Omit<Criteria, Content>
}
