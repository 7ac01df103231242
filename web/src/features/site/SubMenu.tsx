import { Collapsible } from '@base-ui/react/collapsible'
import { useEffect, useRef, type PointerEvent } from 'react'
import { ChevronIcon } from '#/ui/icons'
import { Picture } from '#/ui/Picture'
import { SiteLink } from '#/ui/SiteLink'
import type { MenuEntry } from './navigation'
import styles from './SideMenu.module.css'

/** How long the mouse must rest on an entry before its menu opens, in milliseconds. */
const HOVER_DELAY = 100

interface Props {
  entry: MenuEntry
  /** On small screens the menu opens below its entry, by click; on large ones beside the entries, on hover. */
  isSmall: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** A sub-menu: new items, then links. */
export function SubMenu({ entry: { label, menu }, isSmall, isOpen, onOpen }: Props) {
  const hovering = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(hovering.current), [])

  const enter = (event: PointerEvent): void => {
    // A touch also fires this event, right before its click.
    if (isSmall || event.pointerType !== 'mouse') return
    hovering.current = setTimeout(() => onOpen(true), HOVER_DELAY)
  }

  return (
    <Collapsible.Root
      open={isOpen}
      // On large screens one menu is always open, so a click never closes it.
      onOpenChange={(open) => onOpen(open || !isSmall)}
    >
      <Collapsible.Trigger
        className={styles.trigger}
        onPointerEnter={enter}
        onPointerLeave={() => clearTimeout(hovering.current)}
      >
        {label}
        <ChevronIcon className={styles.chevron} />
      </Collapsible.Trigger>
      <Collapsible.Panel className={styles.sub}>
        <div className={styles.stage}>
          {menu.cards.length > 0 && (
            <ul className={styles.cards}>
              {menu.cards.map((card) => (
                <li key={card.id}>
                  <SiteLink href={card.share_url} className={styles.card}>
                    <Picture id={card.id} name={card.title} source={card.image_url} />
                    <span>{card.title}</span>
                  </SiteLink>
                </li>
              ))}
            </ul>
          )}
          {menu.links.length > 0 && (
            <ul className={styles.links}>
              {menu.links.map((link) => (
                <li key={link.href}>
                  <SiteLink href={link.href}>{link.label}</SiteLink>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}
