import { useEffect, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useFeatures } from '../api/features.tsx'
import { LogOut } from '../session/log-out.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Icon, Mark } from './icons.tsx'
import { getNavigation } from './navigation.ts'
import { useTheme } from './theme.ts'

/** The frame of every page: the navigation, which is a drawer on a narrow screen, and the content. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const [location] = useLocation()
  useEffect(() => {
    setOpen(false)
  }, [location])
  return (
    <div className="layout">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <Button
          look="quiet"
          aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isOpen}
          onPress={() => {
            setOpen(!isOpen)
          }}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </Button>
        <Brand />
      </header>
      <aside className={`side ${isOpen ? 'side-open' : ''}`}>
        <Brand />
        <Navigation />
        <footer className="side-foot">
          <ThemeButton />
          <LogOut />
        </footer>
      </aside>
      <main id="content" className="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

const Brand = () => (
  <div className="brand">
    <Mark />
    <span>Sallyport</span>
  </div>
)

function Navigation() {
  const [location] = useLocation()
  return (
    <nav className="nav" aria-label="Pages">
      {getNavigation(useFeatures(), useOperator()).map(({ label, items }) => (
        <div key={label} className="nav-group">
          <p className="nav-label">{label}</p>
          <ul>
            {items.map((item) => (
              <li key={item.path}>
                <Link
                  href={item.path}
                  className="nav-link"
                  aria-current={location.startsWith(item.path) ? 'page' : undefined}
                >
                  <Icon name={item.icon} />
                  {item.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function ThemeButton() {
  const [theme, setTheme] = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <Button
      look="quiet"
      onPress={() => {
        setTheme(other)
      }}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
      {other === 'dark' ? 'Dark' : 'Light'}
    </Button>
  )
}

/** The heading of a page with its actions. It also sets the title of the tab. */
export function PageHeader({
  title,
  children,
  lead,
  tabTitle,
}: {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly children?: ReactNode
  readonly tabTitle: string
}) {
  return (
    <header className="page-header">
      <title>{`${tabTitle} · Sallyport`}</title>
      <div className="page-heading">
        <h1>{title}</h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </div>
      {children !== undefined && <div className="page-actions">{children}</div>}
    </header>
  )
}
