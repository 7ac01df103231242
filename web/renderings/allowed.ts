/** Elements that only the application renders, with the reason why the gateway does not. */
export const ONLY_IN_APPLICATION: Readonly<Record<string, string>> = {
  button: 'a control needs scripts',
  '.Card_action': 'the control of a card',
  '.place_dock': 'the controls of a place, above the page on a small screen',
  '.LoadMore_more': 'loads more of a grid',
  '.tonight_more': 'loads more of the open places',
  '.TextField_field': 'a field of a form',
  'section[aria-labelledby=entry]': 'the form of a contest',
  '.search_start': 'suggestions, which depend on earlier searches',
  '[aria-busy=true]': 'content below the first answers, which is still loading',
  '.article_after, .Rows_after, .video_after': 'rows below the text, which load later',
  '[id^=ad-middle], [id^=ad-end]': 'ads below content that loads later',
  'main > section.NewsletterPanel_page': 'the form at the end of a page whose rows load later',
  '.Skeleton_bone, .article_lines': 'the text of a thing with an age limit, until the answer',
  '.Tile_tile': 'the drawing in place of a missing picture',
  '.Story_end': 'the empty element that the reminder follows',
  '.EventFacts_line > span': 'the name of the zone, for readers in another zone',
  'header > [role=status], #root > [role=status]': 'messages, empty at first',
  '.Dialog_dialog, .Dialog_backdrop': 'a dialog, or its skeleton',
}

/** Elements of the application whose children the gateway renders without them. */
export const ONLY_AROUND = 'form'

/** Attributes that only the application sets, with the reason. */
export const ONLY_ATTRIBUTES: readonly { selector: string; name: string; reason: string }[] = [
  { selector: 'a', name: 'data-status', reason: 'the router’s mark' },
  {
    selector: 'a[data-status=active]',
    name: 'aria-current',
    reason: 'a kept page does not know the query of its address',
  },
  { selector: 'label', name: 'id', reason: 'the name of a label, for its field' },
  { selector: 'label', name: 'for', reason: 'the name of a field' },
  { selector: '.Mosaic_photo', name: 'style', reason: 'the blurred picture is computed' },
]

/** The content that the gateway leaves to the application on pages that depend on their reader, and these pages. */
export const DEPENDS_ON_READER = 'main:empty'
export const PERSONAL = /^\/(accounts|profiles)\//
