import { Component, type ReactNode } from 'react'
import { ErrorNotice } from '../ui/notice.tsx'

interface Props {
  readonly onReset: () => void
  readonly children: ReactNode
}

/** Shows an error of a component instead of an empty page. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <div className="page">
        <ErrorNotice
          error={this.state.error}
          onRetry={() => {
            this.props.onReset()
            this.setState({ error: undefined })
          }}
        />
      </div>
    )
  }
}
