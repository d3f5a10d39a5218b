# Puts toto's farm in front of PATH. Written by `toto setup`; safe to read any number of times.
begin
    set -l farm @FARM@
    if test "$PATH[1]" != "$farm"
        set -l rest
        for directory in $PATH
            test "$directory" = "$farm"; or set -a rest $directory
        end
        set -gx PATH $farm $rest
    end
end
# A shell of an agent's: what puts itself in front later, an environment for instance, comes behind the farm again. (fish
# cannot start a function in the background, and has no other words.)
if status is-interactive; or test -z "@MARKS@"
else if not functions -q _toto_in_front
    function _toto_in_front --on-variable PATH
        set -l farm @FARM@
        if test "$PATH[1]" != "$farm"
            set -l rest
            for directory in $PATH
                test "$directory" = "$farm"; or set -a rest $directory
            end
            set -gx PATH $farm $rest
        end
    end
end
