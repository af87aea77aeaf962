/** A file in a message: by its id of an upload, or by a link of the business. */
export interface FileObject {
  readonly id?: string;
  readonly link?: string;
  readonly caption?: string;
  readonly filename?: string;
}

/** One row of a list. */
interface RowObject {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
}

/** What may be pressed below a message. */
export interface ActionObject {
  readonly button?: string;
  readonly buttons?: readonly {
    readonly type: string;
    readonly reply: { readonly id: string; readonly title: string };
  }[];
  readonly sections?: readonly { readonly title?: string; readonly rows?: readonly RowObject[] }[];
}

/** A message with buttons or a list. */
export interface InteractiveObject {
  readonly type: string;
  readonly header?: FileHeader & { readonly type: string; readonly text?: string };
  readonly body?: { readonly text: string };
  readonly footer?: { readonly text: string };
  readonly action: ActionObject;
}

interface FileHeader {
  readonly image?: FileObject;
  readonly video?: FileObject;
  readonly document?: FileObject;
}

/** A part of a template's message. */
interface TemplatePart {
  readonly type: string;
  readonly sub_type?: string;
  readonly index?: string;
  readonly parameters?: readonly {
    readonly type: string;
    readonly text?: string;
    readonly payload?: string;
  }[];
}

/** What POST messages takes. */
export interface MessageBody {
  readonly messaging_product?: string;
  readonly recipient_type?: string;
  readonly to?: string;
  /** An id in a number's place. */
  readonly recipient?: string;
  readonly type?: string;
  readonly context?: { readonly message_id?: string };
  readonly biz_opaque_callback_data?: string;
  readonly text?: { readonly body?: string; readonly preview_url?: boolean };
  readonly image?: FileObject;
  readonly video?: FileObject;
  readonly audio?: FileObject;
  readonly document?: FileObject;
  readonly sticker?: FileObject;
  readonly reaction?: { readonly message_id?: string; readonly emoji?: string };
  readonly interactive?: InteractiveObject;
  readonly template?: {
    readonly name: string;
    readonly language: { readonly code: string };
    readonly components?: readonly TemplatePart[];
  };
  /** Marks as read, instead of a message. */
  readonly status?: string;
  readonly message_id?: string;
  readonly typing_indicator?: { readonly type?: string };
}
