import type { ReactNode } from 'react'

/** A part of a page with a heading. */
export function Card({
  title,
  children,
  actions,
}: {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
}) {
  return (
    <section className="card">
      <div className="card-head">
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** A name with its value, in a `dl` of the class `facts`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
