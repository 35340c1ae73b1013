package main

import (
	"assay/sdks/go/lines"
	"github.com/a2aproject/a2a-go/a2a"
)

// The values of the SDK by which a program tells an agent's errors. It hands over no codes.
var sentinels = []lines.Sentinel{
	{Name: "ErrParseError", Value: a2a.ErrParseError},
	{Name: "ErrInvalidRequest", Value: a2a.ErrInvalidRequest},
	{Name: "ErrMethodNotFound", Value: a2a.ErrMethodNotFound},
	{Name: "ErrInvalidParams", Value: a2a.ErrInvalidParams},
	{Name: "ErrInternalError", Value: a2a.ErrInternalError},
	{Name: "ErrServerError", Value: a2a.ErrServerError},
	{Name: "ErrTaskNotFound", Value: a2a.ErrTaskNotFound},
	{Name: "ErrTaskNotCancelable", Value: a2a.ErrTaskNotCancelable},
	{Name: "ErrPushNotificationNotSupported", Value: a2a.ErrPushNotificationNotSupported},
	{Name: "ErrUnsupportedOperation", Value: a2a.ErrUnsupportedOperation},
	{Name: "ErrUnsupportedContentType", Value: a2a.ErrUnsupportedContentType},
	{Name: "ErrInvalidAgentResponse", Value: a2a.ErrInvalidAgentResponse},
	{Name: "ErrAuthenticatedExtendedCardNotConfigured", Value: a2a.ErrAuthenticatedExtendedCardNotConfigured},
	{Name: "ErrUnauthenticated", Value: a2a.ErrUnauthenticated},
	{Name: "ErrUnauthorized", Value: a2a.ErrUnauthorized},
}
